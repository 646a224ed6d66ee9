import { wording } from "./index";

/** Words of the dialog about the reader's own data. */
export const sayProfile = wording({
  title: ["我的资料", "My data"],
  about: ["这里是系统记得的关于你的一切，可以改正、导出和删除；对话不在其中。", "All that is remembered about you, besides conversations. You can correct, export and delete it."],
  nothing: ["还没有记下任何资料。", "Nothing is remembered yet."],
  path: ["项目", "Item"],
  value: ["内容", "Value"],
  save: ["保存", "Save"],
  remove: ["删除这一项", "Delete this item"],
  export: ["导出", "Export"],
  deleteAll: ["全部删除", "Delete everything"],
  deleteSure: ["真的全部删除", "Really delete everything"],
  close: ["关闭", "Close"],
  facts: ["对话里确定的事实：{count} 条，随全部删除一起删除。", "Facts settled in conversations: {count}; deleted together with everything."],
  answered: ["已回答 {count} 题", "{count} items answered"],
  yes: ["是", "yes"],
  no: ["否", "no"],
});
