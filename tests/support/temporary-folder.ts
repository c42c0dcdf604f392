// A folder for the files of a test, which goes with the test's end.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `manybody-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
