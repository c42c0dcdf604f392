/**
 * gpu.js (2.24) asks for the outcome of compiling as soon as it has handed a shader over, which makes the browser wait for
 * the driver. Its questions are answered here while it builds, and put to the driver when that is done.
 *
 * `packages/backend-webgl/test/driver.browser.ts` shows it. Goes when gpu.js can build without asking.
 *
 * @module
 */

type Gl = WebGLRenderingContext | WebGL2RenderingContext

/**
 * Runs a synchronous `build` of gpu.js on `gl`. What it asks that a driver can answer only when it has compiled is
 * answered here: that the shaders compiled (who asks later hears whether), and where `attributes` are, as they are put there.
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
    // A program is asked for its state when it is used; every run uses it again.
    useProgram: () => {},
  }
  replacing(gl, instead, build)
}

/** Does something while `gl` has other methods. */
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
