// The worker is a file of its own, whole: threads load it by its address, whatever bundles the rest.

import { defineConfig } from 'tsup'
import base from '../../tsup.config.base.ts'

export default defineConfig([
  base,
  { ...base, entry: ['src/worker.ts'], dts: false, clean: false, splitting: false, minify: true },
])
