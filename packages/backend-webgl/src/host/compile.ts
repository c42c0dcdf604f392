/**
 * Compiling without blocking the page. gpu.js asks for the outcome as soon as it has handed a shader over, which makes
 * the browser wait for the driver; here its questions are put off while it builds, and asked when the driver is done.
 *
 * @module
 */
import type { Gl } from './adapter.ts'
import { type GlHost, squareAttributes } from './host.ts'

/**
 * Runs a synchronous `build` of gpu.js on `gl`. What it asks that a driver can answer only when it has compiled is
 * answered here: that the shaders compiled (`faultOf` tells), and where the attributes are, as they are put there.
 */
export function withoutWaiting(gl: Gl, build: () => void): void {
  const link = gl.linkProgram
  const instead: Partial<Gl> = {
    getShaderParameter: () => true,
    getAttribLocation: (_, name) => squareAttributes.indexOf(name),
    linkProgram(program) {
      squareAttributes.forEach((name, location) => {
        gl.bindAttribLocation(program, location, name)
      })
      link.call(gl, program)
    },
    // A program is asked for its state when it is used; every run uses it again.
    useProgram: () => {},
  }
  replacing(gl, instead, build)
}

/** Runs a synchronous `draw` of gpu.js of which one texel is drawn. */
export function onOneTexel<T>(gl: Gl, draw: () => T): T {
  const { scissor } = gl
  return replacing(gl, { scissor: () => scissor.call(gl, 0, 0, 1, 1) }, draw)
}

/** Does something while `gl` has other methods. */
function replacing<T>(gl: Gl, methods: Partial<Gl>, work: () => T): T {
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

/** Seconds that a driver may compile: some never finish, and burn a core until their process ends. */
const limit = 30

/**
 * Does work that waits for the compiler and calls `check` while it does.
 *
 * @throws {@link DeviceLostError} if that takes too long: the context is then left, as whatever it is asked next would wait
 */
export async function withinLimit(host: GlHost, work: (check: () => void) => Promise<void>): Promise<void> {
  const until = performance.now() + 1000 * limit
  await work(() => {
    if (performance.now() < until) return
    host.giveUp({
      reason: `its driver did not compile a shader within ${limit} s`,
      remedy: 'use another backend, or simplify the law',
      final: true,
    })
    host.check()
  })
}

/** Whether asking for the outcome would no longer wait. Where the extension is missing, nobody can say: then it is. */
export function hasCompiled(gl: Gl, program: WebGLProgram): boolean {
  const parallel = gl.getExtension('KHR_parallel_shader_compile') as { COMPLETION_STATUS_KHR: number } | null
  return !parallel || gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR) !== false
}

/** Why a program cannot run, or undefined. Waits for the driver. */
export function faultOf(gl: Gl, program: WebGLProgram): string | undefined {
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return undefined
  const failed = gl.getAttachedShaders(program)?.find((shader) => !gl.getShaderParameter(shader, gl.COMPILE_STATUS))
  const log = failed ? gl.getShaderInfoLog(failed) : gl.getProgramInfoLog(program)
  return `${failed ? 'compiling' : 'linking'} failed: ${log || 'no message'}`
}
