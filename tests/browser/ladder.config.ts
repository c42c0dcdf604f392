// The naive-against-tuned ladder of the WebGL backend: minutes, so it is no test. It runs in the browser of the tests, or
// in the one that CHROMIUM names: a GPU, or another rasteriser, is measured so. RECORD names the file to keep it in.

import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { machine } from '../../bench/src/node/machine.ts'
import '../../packages/backend-webgl/bench/ladder-record.ts'
import browser from './vitest.config.ts'

const given = ['CHROMIUM', 'CHROMIUM_FLAGS', 'RECORD'].flatMap((name) => {
  const value = process.env[name]
  return value ? [`${name}=${value.includes(' ') ? `'${value}'` : value} `] : []
})

export default defineConfig({
  ...browser,
  root: import.meta.dirname,
  test: {
    ...browser.test,
    name: 'ladder',
    include: ['../../packages/backend-webgl/bench/*.browser.ts'],
    provide: {
      ladder: {
        file: process.env.RECORD ? resolve(process.env.RECORD) : '',
        command: `${given.join('')}npx vitest run --config tests/browser/ladder.config.ts`,
        date: new Date().toISOString(),
        machine: machine(),
      },
    },
  },
})
