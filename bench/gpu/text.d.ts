// The bundler imports CUDA sources as text.

declare module '*.cu' {
  const text: string
  export default text
}

declare module '*.cuh' {
  const text: string
  export default text
}

/** Of the package `webgpu`. */
declare const WEBGPU_VERSION: string
