// A WebGL driver that never finishes compiling.

import type { Fault } from '../fault.ts'
import { contexts } from '../spies.ts'
import { disturbed, induced, runNewLaw, simulation } from '../work.ts'

/** `KHR_parallel_shader_compile` has a query that tells whether a program is compiled. Software drivers lack the extension. */
const extension = 'KHR_parallel_shader_compile'
const parallel = { COMPLETION_STATUS_KHR: 0x91b1 }

/** The clock advances by this many milliseconds at each query, so that a try does not take half a minute. */
const stride = 1000

export const neverCompiles: readonly Fault[] = [runNewLaw, simulation].map((work) => ({
  name: `a shader that never compiles, ${work === simulation ? 'simulation' : 'run'}`,
  how: 'WebGL reports for half a minute that it is still compiling; the clock is advanced',
  async attempt(random) {
    const now = performance.now
    let ahead = 0
    performance.now = () => now.call(performance) + ahead
    try {
      const outcome = await disturbed(['webgl', 'cpu-wasm'], work, 50 + Math.floor(200 * random()), () => {
        const gl = contexts.findLast((context) => !context.isContextLost())
        if (!gl) return
        const { getProgramParameter } = gl
        const getExtension: (this: typeof gl, name: string) => unknown = gl.getExtension
        const answers = {
          getExtension: (name: string) => (name === extension ? parallel : getExtension.call(gl, name)),
          getProgramParameter(program: WebGLProgram, question: number) {
            if (question !== parallel.COMPLETION_STATUS_KHR) return getProgramParameter.call(gl, program, question)
            ahead += stride
            return false
          },
        }
        Object.assign(gl, answers)
      })
      return induced(ahead > 0, outcome)
    } finally {
      performance.now = now
    }
  },
}))
