/**
 * The page of a browser about its use of the graphics hardware. WebGPU gives no reason why it has no adapter, and each browser
 * has its own page, so this goes by the name of the browser.
 *
 * `packages/backend-webgpu/test/run/graphics-page.test.ts` has the names. Remove this when WebGPU tells why there is no
 * adapter.
 *
 * @module
 */

/** A hint for an error, from the user agent of the browser. */
export function graphicsPage(userAgent: string): string {
  // Browsers based on Chromium name it too, so Edge comes first. All browsers but Firefox contain "like Gecko".
  if (/Firefox\//.test(userAgent)) return 'see about:support, "Graphics"'
  if (/Edg\//.test(userAgent)) return 'see edge://gpu'
  if (/Chrom(e|ium)\//.test(userAgent)) return 'see chrome://gpu'
  if (/Linux.*AppleWebKit\//.test(userAgent)) return 'see webkit://gpu'
  return "see the browser's settings"
}
