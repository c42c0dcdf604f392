/**
 * gpu.js (2.24) asks for the outcome of compiling as soon as it has submitted a shader, which makes the browser wait for
 * the driver. So its questions are answered here while it builds, and `checked-kernel.ts` asks the driver later.
 *
 * `packages/backend-webgl/test/browser/driver.browser.ts` shows it. Remove this when gpu.js can build without asking.
 *
 * @module
 */

type Gl = WebGLRenderingContext | WebGL2RenderingContext

/**
 * Runs a synchronous `build` of gpu.js on `gl`, and answers the questions that a driver can answer only after compiling:
 * whether the shaders compiled (yes; the real answer is read later), and the locations of `attributes` (set before linking).
 */
export function withoutWaiting(gl: Gl, attributes: readonly string[], build: () => void): void {
  const link = gl.linkProgram
  const instead: Partial<Gl> = {
    getShaderParameter: () => true,
    getAttribLocation: (_, name) => attributes.indexOf(name),
    linkProgram(program) {
      attributes.forEach((name, location) => {
        gl.bindAttribLocation(program, location, name)
      })
      link.call(gl, program)
    },
    // Using a program waits for it to link. Every run calls this again, so the build need not.
    useProgram: () => {},
  }
  replacing(gl, instead, build)
}

/** Runs work while some methods of `gl` are replaced. */
export function replacing<T>(gl: Gl, methods: Partial<Gl>, work: () => T): T {
  const before = Object.keys(methods).map((name) => [name, Object.getOwnPropertyDescriptor(gl, name)] as const)
  Object.assign(gl, methods)
  try {
    return work()
  } finally {
    for (const [name, own] of before) {
      if (own) Object.defineProperty(gl, name, own)
      else Reflect.deleteProperty(gl, name)
    }
  }
}
