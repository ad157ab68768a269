export { createCatalogue } from './catalogue.ts'
export type {
  Catalogue,
  CatalogueChange,
  CatalogueEntry,
  CatalogueTool,
  DefinitionChange,
  Observed,
  Offer,
  PendingTool,
  ToolChange,
  ToolHashRow,
  ToolRow,
  ToolRows,
  ToolState,
  ToolVersionRow,
} from './contract.ts'
export { createToolset, type Toolset } from './toolset.ts'
