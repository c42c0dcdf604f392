/**
 * Keeps the plots in main memory. A browser draws a canvas on the GPU, and Chromium's page then waits at each drawing until the GPU
 * has done what it was given before: on a slow GPU, all pictures of the bodies. uPlot asks for a context without options, so this
 * gives it one. Import this before uPlot. Can go when uPlot takes the options of a context.
 */

const { getContext } = HTMLCanvasElement.prototype

HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
  return Reflect.apply(getContext, this, [kind, kind === '2d' ? { willReadFrequently: true } : options])
} as typeof getContext
