// How TypeDoc writes the reference: a page for each name that a package exports, the package of most readers first.

import { OptionDefaults } from 'typedoc'
import { entries } from './module-names.mjs'

export default {
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', './module-names.mjs'],
  tsconfig: 'typedoc.tsconfig.json',
  entryPoints: [...entries.keys()],
  sortEntryPoints: false,
  // Readers come for a function; the interfaces that it takes are linked from it.
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
