// Scripts that share a process end as in one of their own: each has its late output, its late exit, and Node's status for its errors.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { saidByEach } from '../../support/said-by-each.ts'

const folder = mkdtempSync(join(tmpdir(), 'manybody-said-'))
afterAll(() => rmSync(folder, { recursive: true }))

const cases: readonly (readonly [code: string, stdout: string, stderr: string, status: number])[] = [
  ['console.log("now"); setTimeout(() => { console.log("late"); process.exitCode = 3 }, 20)', 'now\nlate\n', '', 3],
  ['setTimeout(() => process.exit(4), 20); setTimeout(() => console.log("never"), 40)', '', '', 4],
  ['setTimeout(() => { throw new Error("late") }, 20)', '', 'Error: late', 1],
  ['throw new Error("now")', '', 'Error: now', 1],
  ['setTimeout(async () => { throw new Error("rejected") })', '', 'Error: rejected', 1],
  ['process.exitCode = 2; console.error("wrong"); await undefined', '', 'wrong\n', 2],
  ['await new Promise(() => {})', '', '', 13],
  ['process.stdout.write(process.argv[2] ?? "", () => console.log(" written"))', 'word written\n', '', 0],
]

test('scripts of one process end as in one of their own', async () => {
  const said = await saidByEach(
    cases.map(([code], n) => {
      const file = join(folder, `${n}.mjs`)
      writeFileSync(file, code)
      return [file, 'word']
    }),
  )
  expect(said).toEqual(
    cases.map(([_, stdout, stderr, status]) => ({ stdout, stderr: stderr && expect.stringContaining(stderr), status })),
  )
})
