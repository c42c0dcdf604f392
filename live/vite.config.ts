/** How Vite builds the live page: for any plain file server, also below a path, and for pages without isolation. */

import { defineConfig } from 'vite'

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

export default defineConfig({
  root: import.meta.dirname,
  // Every address is relative to the page.
  base: './',
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, rollupOptions: { external: ['webgpu'] } },
  worker: { format: 'es' },
  // Only Node loads `webgpu`. Vite would reload the page if it found gpu.js only when a backend asks for it.
  optimizeDeps: { exclude: ['webgpu'], include: ['gpu.js', 'lil-gui', 'uplot'] },
  // Isolated pages share memory between threads.
  server: { headers: isolation },
  preview: { headers: isolation },
})
