// The path that every program takes: numbers in, native GLSL functions over textures, numbers out.

import { expect, test } from 'vitest'
import { findContext } from '../src/context.ts'
import { loadDriver } from '../src/driver.ts'
import { GlHost } from '../src/host.ts'
import { disproof } from '../src/proof.ts'
import { Sheets } from '../src/sheets.ts'

test('up and down', async () => {
  const before = Reflect.get(globalThis, 'GPU')
  const found = findContext()
  if (!('gl' in found)) throw new Error(found.reason)
  const Gpu = await loadDriver()
  expect(Reflect.get(globalThis, 'GPU')).toBe(before)
  const host = new GlHost(Gpu, found.gl)
  const sheets = new Sheets(host)
  const data = Float32Array.from({ length: 5000 }, (_, n) => n + 1 / 3)
  const sheet = sheets.upload(data)
  expect(host.read(sheet, 5000)).toEqual(data)
  expect(disproof(host, sheets)).toBeUndefined()
  console.log(found.renderer, found.kind)
  await host.dispose()
})
