/**
 * Compiling without blocking the page: asks the driver for the outcome only when it is done, and gives up after a limit.
 *
 * @module
 */

import { replacing } from '../../quirks/early-questions.ts'
import type { Gl } from './adapter.ts'
import type { GlHost } from './host.ts'

/** Runs a synchronous `draw` of gpu.js, restricted to one texel. */
export function onOneTexel<T>(gl: Gl, draw: () => T): T {
  const { scissor } = gl
  return replacing(gl, { scissor: () => scissor.call(gl, 0, 0, 1, 1) }, draw)
}

/** Seconds that a driver may compile. Some drivers never finish, and keep a core busy until their process ends. */
const limit = 30

/**
 * Runs work that waits for the compiler and calls `check` meanwhile.
 *
 * @throws {@link DeviceLostError} if that takes too long: the context is given up, because every later call would wait too
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

/** Whether the driver can tell the outcome without blocking. True if it lacks the extension that tells. */
export function hasCompiled(gl: Gl, program: WebGLProgram): boolean {
  const parallel = gl.getExtension('KHR_parallel_shader_compile') as { COMPLETION_STATUS_KHR: number } | null
  return !parallel || gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR) !== false
}

/** Why a program failed to compile or link; undefined if it did not. Waits for the driver. */
export function faultOf(gl: Gl, program: WebGLProgram): string | undefined {
  if (gl.getProgramParameter(program, gl.LINK_STATUS)) return undefined
  const failed = gl.getAttachedShaders(program)?.find((shader) => !gl.getShaderParameter(shader, gl.COMPILE_STATUS))
  const log = failed ? gl.getShaderInfoLog(failed) : gl.getProgramInfoLog(program)
  return `${failed ? 'compiling' : 'linking'} failed: ${log || 'no message'}`
}
