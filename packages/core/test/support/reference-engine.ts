/**
 * Engines on the float64 reference, for tests of engines and workloads.
 *
 * @module
 */
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { reference } from '../../src/truth/reference/backend.ts'

/** An engine with float64 results. */
export const referenceEngine = (): Promise<Engine<'f64'>> => createEngine({ backends: [reference()], precision: 'f64' })
