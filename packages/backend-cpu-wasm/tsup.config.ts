// The worker is a file of its own: threads load it by its address, whatever bundles the rest.

import { defineConfig } from 'tsup'
import base from '../../tsup.config.base.ts'

export default defineConfig({ ...base, entry: ['src/index.ts', 'src/worker.js'] })
