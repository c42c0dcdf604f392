// The gauge of habits finds them in comments and manuals, and nowhere else.

import { expect, test } from 'vitest'
import { placesIn, proseOf } from '../../../scripts/support/prose.ts'

const code = `/**
 * Counts what is near.
 */
const text = 'what // whose'
const more = \`what
of which\` // The list, the last of which counts, and whose end is open.
`

test('comments of code count, strings do not', () => {
  expect(placesIn(proseOf(code, 'code'))).toEqual([
    { habit: 'what', line: 2, text: '* Counts what is near.' },
    { habit: 'which', line: 6, text: '// The list, the last of which counts, and whose end is open.' },
    { habit: 'which', line: 6, text: '// The list, the last of which counts, and whose end is open.' },
  ])
})

test('manuals count without their code', () => {
  const manual = 'Say `what` you mean.\n\n```js\n// what\n```\n\nSee what comes.'
  expect(placesIn(proseOf(manual, 'manual'))).toEqual([{ habit: 'what', line: 7, text: 'See what comes.' }])
})
