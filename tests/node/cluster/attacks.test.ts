// A cluster under attack, with a few tries of each attack and few points: `npm run cluster -- attacks` makes a hundred tries of 2000.

import { describe, expect, it, test } from 'vitest'
import { attacked } from '../../cluster/attacks/attacks.ts'
import { natsServerProgram } from '../../cluster/nats-server.ts'

const program = await natsServerProgram()

if ('missing' in program) {
  describe.skip(`attacks on a cluster: ${program.missing}`, () => {
    test('needs a NATS server', () => {})
  })
} else {
  describe('a cluster', () => {
    it('accepts no forged number, is ended by no message, and names the attacker', async () => {
      const outcomes = await attacked(program.path, { tries: 2, points: 700 }, () => {})
      expect(outcomes.map(({ attack, tries, bad, named }) => [attack, tries > 0 && bad, tries - named])).toEqual([
        ['forged results', 0, 0],
        ['forged results', 0, 0],
        ['malformed messages', 0, expect.any(Number)],
      ])
    })
  })
}
