// Cells smaller than two cutoffs on the processor, in both precisions.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { test } from 'vitest'
import { expectSmallCells } from '../support/small-cells.ts'

test.each(['f32', 'f64'] as const)('all images count in %s', (precision) => expectSmallCells(cpuWasm(), precision))
