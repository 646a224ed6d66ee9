import { wording } from "./index";

/** The sentences of the shell. */
export const sayApp = wording({
  chat: ["对话", "Chat"],
  console: ["控制台", "Console"],
  menu: ["打开菜单", "Open menu"],
  closeMenu: ["关闭菜单", "Close menu"],
  skip: ["跳到正文", "Skip to content"],
  pages: ["页面", "Pages"],
  settings: ["外观与语言", "Appearance and language"],
  theme: ["主题", "Theme"],
  light: ["浅色", "Light"],
  dark: ["深色", "Dark"],
  system: ["跟随系统", "System"],
  language: ["语言", "Language"],
  loading: ["正在载入…", "Loading…"],
  loadFailed: ["这一页没有载入成功。", "This page could not be loaded."],
  again: ["再试一次", "Try again"],
  keyTitle: ["需要访问密钥", "An access key is needed"],
  keyText: ["这台服务器需要密钥才能访问。密钥只保存在当前标签页。", "This server asks for a key. It is kept in this tab only."],
  key: ["密钥", "Key"],
  keyWrong: ["服务器不认识这个密钥。", "The server does not know this key."],
  keyGo: ["继续", "Continue"],
  close: ["关闭", "Close"],
  offline: ["连不上服务器。请检查网络，或确认服务是否在运行。", "The server cannot be reached. Check the network, or whether it is running."],
  details: ["详细信息", "Details"],
  unknown: ["出了点问题。", "Something went wrong."],
});
