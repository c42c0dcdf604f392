// Workloads over links on the processor, in both precisions.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { reference } from '@manybody/core'
import { test } from 'vitest'
import { expectLinks } from '../support/links.ts'

test.each(['f32', 'f64'] as const)('cpu-wasm sums over links in %s', (precision) => expectLinks(cpuWasm(), precision))
test('the reference does so', () => expectLinks(reference(), 'f64'))
