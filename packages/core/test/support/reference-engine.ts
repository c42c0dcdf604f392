/**
 * Engines on the float64 reference, for tests of what engines and workloads give.
 *
 * @module
 */
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { reference } from '../../src/truth/reference/backend.ts'

/** An engine whose results are float64. */
export const referenceEngine = (): Promise<Engine<'f64'>> => createEngine({ backends: [reference()], precision: 'f64' })
