/**
 * The headers that every answer of the server has: what the page may load, and who may load it.
 *
 * @module
 */

/** The headers; the page may connect to `hosts` besides the server itself, by default to any: users open URLs in it. */
export function securityHeaders(
  hosts: readonly string[] = ["http:", "https:"],
): Readonly<Record<string, string>> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "worker-src 'self'",
      `connect-src ${["'self'", ...hosts].join(" ")}`,
      "img-src 'self' blob:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "permissions-policy": UNUSED.map((feature) => `${feature}=()`).join(", "),
  };
}

/** What browsers can do and the page does not need. */
const UNUSED = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "serial",
  "usb",
];
