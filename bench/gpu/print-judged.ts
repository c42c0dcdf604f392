// What was found of a backend, as lines to read.

import type { Judged } from './record.ts'

/** What was found of a backend, the faults last. */
export function judgedLines(judged: Judged): readonly string[] {
  if ('refused' in judged) return [`${judged.backend} is not judged: ${judged.refused}`]
  const { backend, device, cases, passed, laws, faults } = judged
  return [
    `${backend} on ${device}: ${passed} of ${cases} cases of the suite, ${laws.few + laws.many} random laws (${laws.many} over up to 33,000 points), ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`,
    ...faults.map((fault) => `  ${fault}`),
  ]
}
