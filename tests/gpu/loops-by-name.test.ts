// `npm run software-gpu` gives a command the software GPU, so that it can run the loops of WebGPU by name.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../tools/pnpm.mjs'

const run = promisify(execFile)
const tsx = join(root, 'node_modules/.bin/tsx')

test('the example of loops by name runs every variant of WebGPU', async () => {
  const { LD_LIBRARY_PATH: _, VK_ICD_FILENAMES: __, ...env } = process.env
  const example = join(root, 'examples/09-loops-by-name.ts')
  const { stdout } = await run(tsx, [join(root, 'scripts/software-gpu.ts'), tsx, example, 'webgpu'], { cwd: root, env })
  const said = /^([a-z-]+) \(workgroup \d+.*\): [\d.]+ ms, error [\d.]+e-[78], at most [\d.]+e-[56]$/
  const names = stdout
    .trimEnd()
    .split('\n')
    .map((line) => said.exec(line)?.[1])
  expect(names).toEqual(['naive', 'tiled', 'tiled-unrolled', 'register-blocked', 'split'])
})
