// The last line of a CI run must never look like a pass when something failed, crashed or did not run.
// Each case passes the script a vitest report, and the exit codes of the tests and of the checks.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'

const folder = mkdtempSync(join(tmpdir(), 'manybody-tally-'))
afterAll(() => rmSync(folder, { recursive: true }))

const green = { status: 'passed', assertionResults: [{ status: 'passed', fullName: 'adds' }] }
const red = { status: 'failed', assertionResults: [{ status: 'failed', fullName: 'adds' }] }
const skipped = { status: 'passed', assertionResults: [{ status: 'skipped', fullName: 'adds' }] }
const unloadable = { status: 'failed', assertionResults: [] }

test.for([
  { what: 'all passed', files: [green, green], exits: [0, 0], last: '2 passed, 0 failed' },
  { what: 'one test failed', files: [green, red], exits: [1, 0], last: '1 passed, 1 failed' },
  { what: 'one file did not load', files: [green, unloadable], exits: [1, 0], last: '1 passed, 1 failed' },
  { what: 'all passed, then the runner failed', files: [green], exits: [1, 0], last: '1 passed, 1 failed' },
  { what: 'all passed, then a check failed', files: [green], exits: [0, 1], last: '1 passed, 1 failed' },
  { what: 'everything was skipped', files: [skipped], exits: [0, 0], last: '0 passed, 1 failed' },
  { what: 'some were skipped', files: [green, skipped], exits: [0, 0], last: '1 passed, 0 failed' },
  { what: 'there is no report', files: undefined, exits: [0, 0], last: '0 passed, 1 failed' },
])('the last line is $last when $what', ({ files, exits, last }) => {
  const report = join(folder, files ? 'report.json' : 'absent.json')
  if (files) writeFileSync(report, JSON.stringify({ testResults: files }))
  const { stdout, status } = spawnSync('node', ['scripts/tally.mjs', report, ...exits.map(String)], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(last)
  expect(status).toBe(last.endsWith(' 0 failed') ? 0 : 1)
})
