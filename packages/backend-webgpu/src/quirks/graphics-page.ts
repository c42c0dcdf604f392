/**
 * Where a browser says why it uses the graphics hardware or not. Nothing but its name tells where that is.
 *
 * `packages/backend-webgpu/test/graphics-page.test.ts` has their names. Goes when WebGPU says why there is no adapter.
 *
 * @module
 */

/** In words, from what the browser calls itself. */
export function graphicsPage(userAgent: string): string {
  // Chromium's descendants name themselves beside it, and all browsers but Firefox name "like Gecko".
  if (/Firefox\//.test(userAgent)) return 'see about:support, "Graphics"'
  if (/Edg\//.test(userAgent)) return 'see edge://gpu'
  if (/Chrom(e|ium)\//.test(userAgent)) return 'see chrome://gpu'
  if (/Linux.*AppleWebKit\//.test(userAgent)) return 'see webkit://gpu'
  return "see the browser's settings"
}
