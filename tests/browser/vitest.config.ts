// Tests that run in headless Chromium. Their pages are cross-origin isolated, so that they have shared memory and threads.

import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { patience } from '../../tools/patience.ts'
import { everyProject } from '../support/patience.ts'

export default defineConfig({
  server: {
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
  // If Vite discovered it late, it would reload the page in the middle of a test.
  optimizeDeps: {
    include: ['manybody > @manybody/backend-webgl > gpu.js'],
    // Only Node loads this package.
    exclude: ['webgpu'],
  },
  test: {
    name: 'browser',
    include: ['**/*.test.ts', '../../packages/*/test/**/*.browser.ts'],
    ...everyProject,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      connectTimeout: patience,
      provider: playwright({ launchOptions: await chromiumLaunch() }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
