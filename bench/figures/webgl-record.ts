/** The newest record of the WebGL ladder for each renderer. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LadderRecord } from '../../packages/backend-webgl/bench/ladder-record.ts'

/** With the names of their files. @throws TypeError naming a file that is no such record */
export function newestLadders(folder: string): readonly (readonly [name: string, record: LadderRecord])[] {
  const records = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as LadderRecord] as const)
    .sort(([, a], [, b]) => a.date.localeCompare(b.date))
  for (const [name, { rows, renderer }] of records)
    if (!renderer || !rows?.length) throw new TypeError(`${name}: expected a renderer and rows`)
  return [...new Map(records.map(([name, record]) => [record.renderer, [name, record] as const])).values()]
}
