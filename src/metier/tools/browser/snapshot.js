// What a person sees of a page, as plain HTML: no scripts, nothing hidden, forms and controls numbered as in the page.
// Open shadow trees are read as they are shown. `limits.find`: return the clickable element of this number instead.
// `limits.inside`: the page is a frame of another one; its links are whole.
(limits) => {
  const dropped = new Set(["script", "style", "noscript", "template", "iframe", "frame", "object", "embed", "svg", "math",
    "canvas", "video", "audio", "link", "meta", "head", "base", "title"]);
  const voids = new Set(["input", "img", "br", "hr", "col", "area", "wbr"]);
  const kept = ["alt", "title", "name", "placeholder", "aria-label", "colspan", "rowspan", "role", "for", "id", "type", "pattern",
    "maxlength", "min", "max"];
  const clickable = 'a[href], button, summary, [role="button"], [role="tab"], [role="link"], input[type="submit"], input[type="button"], input[type="image"]';
  const elementsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get;
  const forms = Array.from(document.forms);
  const controls = new Map();
  forms.forEach((form, at) => Array.from(elementsOf.call(form)).forEach((one, place) => controls.set(one, [at, place])));
  const listClickables = (root) => Array.from(root.querySelectorAll("*")).flatMap((one) =>
    [...(one.matches(clickable) ? [one] : []), ...(one.shadowRoot ? listClickables(one.shadowRoot) : [])]);
  const clickables = listClickables(document);
  if (limits.find !== undefined) { return clickables[limits.find] || null; }
  const clicks = new Map(clickables.map((one, at) => [one, at]));
  const out = [];
  let elements = 0, chars = 0, cut = false;
  const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const write = (text) => { chars += text.length; if (chars > limits.chars) { cut = true; } else { out.push(text); } };
  const isHidden = (one) => {
    const style = getComputedStyle(one);
    return style.display === "none" || style.visibility === "hidden" || style.visibility === "collapse"
      || parseFloat(style.opacity) === 0 || parseFloat(style.fontSize) < 2;
  };
  const attributes = (one, tag) => {
    const found = [];
    const add = (name, value) => { if (value !== null && value !== undefined) { found.push(` ${name}="${escape(String(value).slice(0, 4000))}"`); } };
    kept.forEach((name) => add(name, one.getAttribute(name)));
    if (tag === "a") { add("href", limits.inside ? one.href : one.getAttribute("href")); }
    if (one instanceof HTMLFormElement) {
      add("data-form", forms.indexOf(one)); add("data-action", one.getAttribute("action") || ""); add("data-method", one.getAttribute("method") || "get");
    }
    if (controls.has(one)) {
      const [form, place] = controls.get(one);
      add("data-owner", form); add("data-place", place);
      if (one.required === true) { add("required", "1"); }
      if (one.disabled === true || one.readOnly === true) { add("disabled", "1"); }
      if (one.type !== "password") { add("data-value", one.value); }
      if (one.checked === true) { add("checked", "1"); }
      if (one.form && one.type === "submit") { add("data-formaction", one.getAttribute("formaction")); add("data-formmethod", one.getAttribute("formmethod")); }
    }
    if (tag === "option") { add("value", one.value); if (one.selected === true) { add("selected", "1"); } }
    if (clicks.has(one)) { add("data-click", clicks.get(one)); }
    return found.join("");
  };
  const walk = (node, depth) => {
    if (cut || depth > 200) { return; }
    if (node.nodeType === Node.TEXT_NODE) { write(escape(node.data)); return; }
    if (node.nodeType !== Node.ELEMENT_NODE) { return; }
    const tag = node.localName.toLowerCase();
    if (!/^[a-z][a-z0-9-]*$/.test(tag) || dropped.has(tag)) { return; }
    const isStructure = node === document.body || tag === "option" || tag === "optgroup" || tag === "tbody" || tag === "thead" || tag === "tfoot";
    const isField = tag === "input" && node.type === "hidden";
    elements += 1;
    if (elements > limits.elements) { cut = true; return; }
    if (!isStructure && !isField && isHidden(node)) { return; }
    const name = node instanceof HTMLFormElement ? "section" : tag;
    write(`<${name}${attributes(node, tag)}>`);
    if (voids.has(tag)) { return; }
    const slotted = tag === "slot" ? node.assignedNodes({ flatten: true }) : [];
    const children = node.shadowRoot ? node.shadowRoot.childNodes : (slotted.length ? slotted : node.childNodes);
    if (tag !== "textarea") { children.forEach((child) => walk(child, depth + 1)); }
    write(`</${name}>`);
  };
  if (document.body) { walk(document.body, 0); }
  return { html: out.join(""), title: String(document.title).slice(0, 1000), url: location.href, base: document.baseURI, cut };
}
