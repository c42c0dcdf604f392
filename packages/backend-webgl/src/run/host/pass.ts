/**
 * One draw: a native GLSL function, called once for each texel of a sheet, or of one of its tiles. gpu.js makes the program
 * around it, binds textures and numbers (`user_<name>` in GLSL) and returns the result as a texture.
 *
 * @module
 */
import { wholeSheet } from '../../design/layout.ts'
import { functionsOf, furtherTiles, type PassSource, passFor } from '../../design/pass.ts'
import { partRows, sharedSheet } from '../../design/shared-sheets.ts'
import { one } from '../../quirks/highp-output.ts'
import { CheckedKernel } from './checked-kernel.ts'
import type { DriverTexture } from './gpu-js.ts'
import type { GlHost, Sheet } from './host.ts'
import { Kernels } from './kernels.ts'

export interface PassInputs {
  readonly textures?: Readonly<Record<string, Sheet>>
  /** Values of `integers` and `numbers`. */
  readonly values?: Readonly<Record<string, number>>
}

const kernelsOf = new WeakMap<GlHost, Kernels<CheckedKernel>>()

export class Pass {
  readonly #kernels: Kernels<CheckedKernel>
  readonly #kernel: CheckedKernel
  /** The source and settings that the kernel is compiled from. */
  readonly #key: string
  #disposed = false
  /** The source that is compiled, with the changes that its version of WebGL needs. */
  readonly source: PassSource

  /**
   * Starts compiling, unless the device has the kernel.
   *
   * @param standIn any texture, because passes are compiled before there is data
   * @throws {@link ProgramCompilationError}, {@link DeviceLostError}
   */
  constructor(
    readonly host: GlHost,
    source: PassSource,
    standIn?: Sheet,
  ) {
    host.check()
    this.source = passFor(host.facts.version, source)
    this.#key = JSON.stringify(this.source)
    this.#kernels = kernelsOf.get(host) ?? new Kernels()
    kernelsOf.set(host, this.#kernels)
    this.#kernel = this.#kernels.take(this.#key, this.source.size, () => this.#compile(standIn))
  }

  #compile(standIn: Sheet | undefined): CheckedKernel {
    const { host } = this
    const { name, glsl, textures, integers = [], numbers = [], size } = this.source
    const scales = textures.map((texture) => `${texture}Scale`)
    const names = [...textures, ...scales, ...integers, ...numbers]
    const tiles = furtherTiles(this.source)
    const { across, down } = this.source.tiles ?? wholeSheet
    const vec4 = { returnType: 'Array(4)', argumentTypes: {} }
    const settings = {
      output: [size.width / across, size.height / down],
      nativeFunctions: [
        { name, source: glsl, ...vec4 },
        ...tiles.map((tile) => ({ name: `${tile}Of`, source: `vec4 ${tile}Of() { return ${tile}; }`, ...vec4 })),
      ],
      injectedNative: functionsOf(host.facts.version, this.source),
      argumentTypes: Object.fromEntries([
        ...textures.map((texture) => [texture, 'ArrayTexture(4)']),
        ...scales.map((scale) => [scale, 'Array(2)']),
        ...integers.map((integer) => [integer, 'Integer']),
        ...numbers.map((number) => [number, 'Float']),
      ]),
      // Results stay on the device, and the next run does not overwrite them. Tiles are copied to their sheet at once.
      pipeline: true,
      immutable: tiles.length === 0,
      // As `createKernelMap` would set them: it insists on a context of its own.
      subKernels: tiles.length
        ? tiles.map((tile) => ({
            name: `${tile}Result`,
            source: `function ${tile}Result() { return ${tile}Of(); }`,
            property: tile,
          }))
        : null,
    }
    const standIns = [
      ...textures.map(() => standIn?.texture),
      ...scales.map(() => [1, 1]),
      ...[...integers, ...numbers].map(() => 0),
    ]
    const calls = tiles.length
      ? [`const tile0 = ${name}();`, ...tiles.map((tile) => `${tile}Result();`), 'return tile0;']
      : [`return ${name}();`]
    const text = `function (${names.join(', ')}) { ${calls.join(' ')} }`
    return new CheckedKernel(host, text, settings, standIns, glsl)
  }

  /** Resolves when the pass has compiled, without blocking the page. @throws {@link ProgramCompilationError} */
  ready(): Promise<void> {
    return this.#kernel.ready()
  }

  /** Draws. The caller must delete the result. @throws {@link DeviceLostError} */
  run({ textures = {}, values = {} }: PassInputs): Sheet {
    const stacks = (this.source.shared ?? []).map((names) =>
      this.host.stackOf(names.map((name) => textures[name] as Sheet)),
    )
    const sheets = Object.fromEntries(stacks.map(({ sheet }, n) => [sharedSheet(n), sheet]))
    const rows = Object.fromEntries(stacks.map(({ rows }, n) => [partRows(n), rows]))
    const drawn = this.#draw({ ...textures, ...sheets }, { ...values, ...rows })
    for (const { sheet } of stacks) sheet.texture.delete()
    return drawn
  }

  #draw(textures: Readonly<Record<string, Sheet>>, values: Readonly<Record<string, number>>): Sheet {
    const { source } = this
    const given: Readonly<Record<string, number>> = { ...one, ...values }
    const sheets = source.textures.map((name) => textures[name])
    const drawn = this.#kernel.run(
      ...sheets.map((sheet) => sheet?.texture),
      ...sheets.map((sheet) => sheet && [1 / sheet.width, 1 / sheet.height]),
      ...[...(source.integers ?? []), ...(source.numbers ?? [])].map((name) => given[name] ?? 0),
    )
    const { size, tiles } = source
    const further = furtherTiles(source)
    if (!tiles || further.length === 0) return { texture: drawn as DriverTexture, ...size }
    const results = drawn as Readonly<Record<string, DriverTexture>>
    return this.host.sheetOf(
      ['result', ...further].map((name) => results[name] as DriverTexture),
      size,
      tiles,
    )
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    this.#kernels.release(this.#key)
  }
}
