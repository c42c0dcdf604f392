// WebGL without its driver gpu.js: the probe names the missing package and says how to install it.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from '../../../tools/pnpm.mjs'
import { angleContexts } from '../../support/angle.ts'

const context = await angleContexts(2)
const gpuJs = createRequire(join(root, 'packages/backend-webgl/package.json')).resolve('gpu.js')
afterEach(() => {
  vi.doUnmock(gpuJs)
  vi.resetModules()
})

/** The backend in a process that gets this module for gpu.js. */
async function backendWith(imported?: () => object) {
  vi.resetModules()
  if (imported) vi.doMock(gpuJs, imported)
  const { webgl } = await import('../../../packages/backend-webgl/src/index.ts')
  return webgl({ context })
}

test('without gpu.js, the backend is unavailable and says how to install it', async () => {
  const backend = await backendWith(() => {
    throw new Error("Cannot find package 'gpu.js'")
  })
  const reason = expect.stringMatching(/^gpu\.js could not be loaded: .*; install it with "npm install gpu\.js"$/s)
  expect(await backend.probe()).toEqual({ available: false, reason })
  await expect(backend.open()).rejects.toMatchObject({ name: 'BackendUnavailableError', reason })
})

test('with gpu.js, it is available', async () => {
  expect(await (await backendWith()).probe()).toMatchObject({ available: true, kind: 'software' })
})
