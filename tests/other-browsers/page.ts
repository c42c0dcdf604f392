// Runs in the page: the conformance suite on every backend of the browser. It reports each case to the server.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { runConformance } from '@manybody/conformance'
import { createEngine } from 'manybody'
import { webglGaps } from '../support/gaps.ts'
import type { Told } from './told.ts'

const tell = (what: Told) => fetch('/tell', { method: 'POST', body: JSON.stringify(what) })
const only = new RegExp(new URLSearchParams(location.search).get('only') ?? '.')

/** Waits until threads have started or failed, because they are reported only then. */
async function noteThreads(): Promise<void> {
  const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
  for (let n = 0; n < 200 && !engine.device.info.features.includes('threads'); n++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const { features, notes = [] } = engine.device.info
  await tell({ kind: 'threads', isolated: crossOriginIsolated, features, notes })
  engine.dispose()
}

try {
  await noteThreads()
  for (const backend of [cpuWasm({ threadsFrom: 0 }), webgl(), webgpu()]) {
    const probe = await backend.probe()
    if (!probe.available) {
      await tell({ kind: 'unavailable', backend: backend.name, reason: probe.reason })
      continue
    }
    const gaps = backend.name === 'webgl' ? webglGaps : []
    const { results } = await runConformance(backend, { required: true, open: { threads: 2 }, only, gaps })
    const supported = results.filter(({ outcome }) => outcome !== 'gap')
    const failed = supported.filter(({ outcome }) => outcome !== 'passed')
    await tell({ kind: 'suite', backend: backend.name, device: probe.device, cases: supported.length, failed })
  }
  await tell({ kind: 'end' })
} catch (error) {
  await tell({ kind: 'end', error: String(error instanceof Error ? error.stack : error) })
}
