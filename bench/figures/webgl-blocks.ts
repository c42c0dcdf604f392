/** What the documentation says of the WebGL ladder: a table for each renderer that was measured. */

import type { LadderRecord, LadderRow } from '../../packages/backend-webgl/bench/ladder-record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from './markdown.ts'

const head = [
  'context, points',
  '`naive`',
  '`expert`',
  '`texture-loop`',
  'upload, compute, readback',
  'times `naive`',
  'times `expert`',
  'errors, in that order',
  'bound',
]

export function webglLadder(record: LadderRecord, link: string): string {
  const { machine, browser, renderer, date, command } = record
  const { cpu, cores, memoryGiB, load = 0 } = machine
  const memory = memoryGiB === undefined ? '' : `, ${memoryGiB} GiB`
  const busy = load > cores / 2 ? ` The machine was busy: load ${load}.` : ''
  const source = `${renderer}; ${cpu}, ${cores} cores${memory}, ${browser}, ${date.slice(0, 10)}: \`${command}\`, in [the record](${link}).${busy} Milliseconds, medians.`
  return `${source}\n\n${markdownTable(head, record.rows.map(line))}`
}

function line({ context, points, times, parts, bound }: LadderRow): readonly string[] {
  const rungs = [times.naive, times.expert, times['texture-loop']]
  const tuned = times['texture-loop'].ms
  return [
    `${context}, ${points}`,
    ...rungs.map(({ ms }) => threeDigits(ms)),
    [parts.upload, parts.compute, parts.readback].map(threeDigits).join(', '),
    (times.naive.ms / tuned).toFixed(2),
    (times.expert.ms / tuned).toFixed(2),
    rungs.map(({ error }) => scientific(error)).join(', '),
    scientific(bound),
  ]
}
