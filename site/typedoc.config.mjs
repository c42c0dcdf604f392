// How TypeDoc writes the reference: a page for each name that a package exports.

import { OptionDefaults } from 'typedoc'

export default {
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', './module-names.mjs'],
  tsconfig: 'typedoc.tsconfig.json',
  entryPoints: [
    '../packages/manybody/src/index.ts',
    '../packages/manybody/src/d3/many-body.ts',
    '../packages/core/src/backend-kit.ts',
    '../packages/core/src/expression-kit.ts',
    '../packages/backend-webgpu/src/index.ts',
    '../packages/backend-webgpu/src/text.ts',
    '../packages/backend-webgl/src/index.ts',
    '../packages/backend-webgl/src/text.ts',
    '../packages/backend-cpu-wasm/src/index.ts',
    '../packages/backend-cpu-wasm/src/at-once.ts',
    '../packages/backend-cpu-wasm/src/text.ts',
    '../packages/cluster/src/index.ts',
    '../packages/conformance/src/index.ts',
  ],
  out: '.pages/api',
  readme: 'none',
  entryFileName: 'index',
  name: 'Reference',
  disableSources: true,
  excludeInternal: true,
  sanitizeComments: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  logLevel: 'Warn',
  validation: {
    invalidLink: false,
    notExported: false,
  },
  blockTags: [...OptionDefaults.blockTags, '@reads', '@shape', '@source', '@unit'],
}
