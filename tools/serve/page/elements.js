// SPDX-License-Identifier: MIT
// Making elements. Properties: `class`, `text`, `on` (listeners), anything else is an attribute;
// null and false leave it out.

function fill(element, properties, children) {
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (name === "text") element.textContent = value;
        else if (name === "on") for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
}

export const make = (name, properties = {}, ...children) =>
    fill(document.createElement(name), properties, children);

export const draw = (name, properties = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);

export const find = (id) => document.getElementById(id);

// Set what is there, or take the attribute away.
export function setAttribute(element, name, value) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
}

// Put other children into a list without losing the reader's place: what had the focus gets it
// again, by its `data-key`, or else the first that can have it.
export function replaceChildren(container, children) {
    const key = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const focused = container.contains(document.activeElement);
    container.replaceChildren(...children);
    if (!focused) return;
    const same = key === undefined ? null : container.querySelector(`[data-key="${CSS.escape(key)}"]`);
    (same ?? container.querySelector("button"))?.focus({ preventScroll: true });
}

// A table with a caption, headings and rows of texts or elements.
export function dataTable(caption, headings, rows) {
    const cells = (name, row) => row.map((content) =>
        name === "th" ? make("th", { scope: "col" }, content) : make("td", {}, content));
    return make("table", { class: "data" }, make("caption", { text: caption }),
        make("thead", {}, make("tr", {}, ...cells("th", headings))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells("td", row)))));
}
