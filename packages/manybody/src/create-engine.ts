/**
 * `createEngine` with our backends as candidates.
 *
 * @module
 */
import { createEngine as createEngineFrom, type Engine, type EngineOptions, type Precision } from '@manybody/core/run'
import { backends } from './backends.ts'

/** All options are optional. `backends` replaces our candidates; to add one, pass `[...backends(), mine]`. */
export type CreateEngineOptions<P extends Precision = Precision> = Partial<EngineOptions<P>>

/**
 * Opens the best compute that this device has and proves it with a small known problem.
 *
 * @example
 * await using engine = await createEngine()
 * const { acceleration } = await engine.run(accelerations(gravity({ softening: 0.05 })), { position, mass })
 * @throws {@link NoBackendError} with one line for each candidate
 * @throws {@link BackendUnavailableError} if the one asked for cannot be used
 */
export function createEngine<P extends Precision = 'f32'>(options: CreateEngineOptions<P> = {}): Promise<Engine<P>> {
  // Core rejects a value that is not an object, as it rejects any other wrong option.
  if (typeof options !== 'object' || options === null) return createEngineFrom(options)
  return createEngineFrom({ ...options, backends: options.backends ?? backends() })
}
