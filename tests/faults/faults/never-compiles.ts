// A driver of WebGL that never ends compiling.

import type { Fault } from '../fault.ts'
import { contexts } from '../spies.ts'
import { disturbed, run, simulation } from '../work.ts'

/** `KHR_parallel_shader_compile`'s question whether a program is compiled. */
const completionStatus = 0x91b1

/** Milliseconds by which the clock goes on whenever the question is asked, so that a try does not take half a minute. */
const stride = 1000

export const neverCompiles: readonly Fault[] = [run, simulation].map((work) => ({
  name: `a shader that never compiles, ${work === run ? 'run' : 'simulation'}`,
  how: 'WebGL reports for half a minute that it is still compiling; the clock is advanced',
  quick: false,
  async attempt(random) {
    const now = performance.now
    let ahead = 0
    performance.now = () => now.call(performance) + ahead
    try {
      return await disturbed(['webgl', 'cpu-wasm'], work, 50 + Math.floor(200 * random()), () => {
        const gl = contexts.findLast((context) => !context.isContextLost())
        const ask = gl?.getProgramParameter
        const answer = (program: WebGLProgram, question: number) => {
          if (question !== completionStatus) return ask?.call(gl, program, question)
          ahead += stride
          return false
        }
        if (gl) Object.assign(gl, { getProgramParameter: answer })
      })
    } finally {
      performance.now = now
    }
  },
}))
