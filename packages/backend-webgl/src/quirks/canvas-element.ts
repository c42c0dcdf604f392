/**
 * WebKitGTK (2.50) gives no context of an `OffscreenCanvas`, though it gives one of a canvas element. So a page tries an element
 * next. A worker has none.
 *
 * `packages/backend-webgl/test/browser/device.browser.ts` shows it. Remove this when WebKit draws on an `OffscreenCanvas`.
 *
 * @module
 */

/** The canvases that an environment may draw on, best first. Each is made only when it is its turn. */
export function* canvases(): Generator<OffscreenCanvas | HTMLCanvasElement, void, void> {
  if (typeof OffscreenCanvas !== 'undefined') yield new OffscreenCanvas(2, 2)
  if (typeof document !== 'undefined') yield document.createElement('canvas')
}
