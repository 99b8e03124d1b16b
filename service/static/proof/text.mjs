// Bytes, their digests, and the one way to write a value as JSON.

const { subtle } = globalThis.crypto;
const encoder = new TextEncoder();

export const bytes = (text) => encoder.encode(text);
export const hex = (data) => Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Error("no hex digits");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
};
export const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
export const sha256 = async (data) => hex(await subtle.digest("SHA-256", data));
export const plain = (data) => btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
export const decoded = (text) => {
  const data = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  if (plain(data) !== text) throw new Error("not the one way to write these bytes");
  return data;
};

// RFC 8785, for values without fractions
export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Error("a number that is no whole one");
    return String(value);
  }
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new Error("half a character");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}
