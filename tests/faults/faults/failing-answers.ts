// Forces the race of a GPU process that ends: one query gets the answer of a lost context, a task before the context reports its loss.

import type { Fault } from '../fault.ts'
import { contexts } from '../spies.ts'
import { disturbed, induced, runNewLaw } from '../work.ts'

const answers = {
  checkFramebufferStatus: 36061,
  getError: 0x9242,
  getProgramParameter: null,
  readPixels: undefined,
} as const

export const failingAnswers: Fault = {
  name: 'answers of a context that is about to be lost',
  how: 'WebGL answers a query as a lost context would, one task before it reports the loss',
  async attempt(random) {
    let asked = false
    const outcome = await disturbed(['webgl', 'cpu-wasm'], runNewLaw, 200, () => {
      const names = Object.keys(answers) as (keyof typeof answers)[]
      const name = names[Math.floor(names.length * random())] ?? 'readPixels'
      const gl = contexts.findLast((context) => !context.isContextLost())
      const answer = () => {
        asked = true
        setTimeout(() => gl?.getExtension('WEBGL_lose_context')?.loseContext(), 0)
        return answers[name]
      }
      if (gl) Object.assign(gl, { [name]: answer })
    })
    return induced(asked, outcome)
  },
}
