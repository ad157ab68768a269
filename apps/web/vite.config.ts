import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwind()],
  resolve: { conditions: ['dataagent-source', 'module', 'browser', 'development|production'] },
  // The server's content policy takes no data: URLs but images, and no inline script.
  build: {
    ...{ target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    chunkSizeWarningLimit: 800,
    // The build reads it to tell how much the first page takes.
    manifest: 'manifest.json',
    license: { fileName: 'third-party-licenses.md' },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:8000',
      '/mcp': 'http://127.0.0.1:8000',
      '/ws': { target: 'ws://127.0.0.1:8000', ws: true },
    },
  },
})
