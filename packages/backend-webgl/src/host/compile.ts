/**
 * Compiling without blocking the page: the driver is asked for the outcome when it is done, and not for ever.
 *
 * @module
 */

import { replacing } from '../quirks/early-questions.ts'
import type { Gl } from './adapter.ts'
import type { GlHost } from './host.ts'

/** Runs a synchronous `draw` of gpu.js of which one texel is drawn. */
export function onOneTexel<T>(gl: Gl, draw: () => T): T {
  const { scissor } = gl
  return replacing(gl, { scissor: () => scissor.call(gl, 0, 0, 1, 1) }, draw)
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

/** Whether asking for the outcome would not block. Without the extension this is unknown, and the answer is true. */
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
