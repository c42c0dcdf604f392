/**
 * Keeps the plots in main memory. By default a browser draws a canvas on the GPU. Chromium's page then waits at each drawing until the GPU
 * has finished its earlier work: on a slow GPU, all pictures of the bodies. uPlot asks for a context without options, so this module adds
 * one. Import it before uPlot. It can go when uPlot takes the options of a context.
 */

const { getContext } = HTMLCanvasElement.prototype

HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
  return Reflect.apply(getContext, this, [kind, kind === '2d' ? { willReadFrequently: true } : options])
} as typeof getContext
