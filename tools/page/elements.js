// SPDX-License-Identifier: MIT
// Creates and changes elements.

export const find = (id) => document.getElementById(id);

// [0, 1 .. n - 1]
export const upTo = (n) => [...Array(n).keys()];

// Set an attribute; null, undefined and false remove it.
export function set(element, name, value) {
  if ((value ?? false) === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children);
  return element;
}

export const make = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const draw = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

export const button = (attributes, ...children) => make("button", { type: "button", ...attributes }, ...children);

// Replace the children. If a button had the focus, the new one at its place, or the first, gets it.
export function refill(container, children) {
  const buttons = container.getElementsByTagName("button"), place = [...buttons].indexOf(document.activeElement);
  container.replaceChildren(...children);
  if (place >= 0) (buttons[place] ?? buttons[0])?.focus({ preventScroll: true });
}

// rows: texts or elements
export function dataTable(caption, headings, rows) {
  const row = (name, cells) => make("tr", {}, ...cells.map((cell) => make(name, {}, cell)));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, row("th", headings)),
    make("tbody", {}, ...rows.map((cells) => row("td", cells))));
}
