// How TypeDoc writes the reference: a page for each exported name. The package with the most readers comes first.

import { OptionDefaults } from 'typedoc'
import { entries } from './module-names.mjs'

export default {
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', './module-names.mjs'],
  tsconfig: 'typedoc.tsconfig.json',
  entryPoints: [...entries.keys()],
  sortEntryPoints: false,
  // Readers look for functions; the interfaces that a function takes are linked from it.
  groupOrder: ['Functions', 'Variables', 'Classes', '*'],
  out: '.pages/api',
  docsRoot: '.pages',
  pageTitleTemplates: { member: '{name}' },
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
