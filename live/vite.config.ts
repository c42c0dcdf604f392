/** How Vite builds the live page: for any plain file server, even below a path, and for pages without isolation. */

import { defineConfig } from 'vite'
import manifest from '../package.json' with { type: 'json' }

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

// Only Node loads `webgpu`.
const rollupOptions = { external: ['webgpu'] }

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    {
      name: 'links',
      transformIndexHtml: (html) =>
        html.replaceAll('%HOMEPAGE%', manifest.homepage).replaceAll('%CODE%', manifest.bugs.replace(/issues$/, '')),
    },
  ],
  // Every address is relative to the page.
  base: './',
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, rollupOptions },
  worker: { format: 'es', rollupOptions },
  // Otherwise Vite would reload the page if it found gpu.js only when a backend asks for it.
  optimizeDeps: { exclude: ['webgpu'], include: ['gpu.js', 'lil-gui', 'uplot'] },
  // Isolated pages share memory between threads.
  server: { headers: isolation },
  preview: { headers: isolation },
})
