import { orderTools } from './order-tools.ts'
import { productTools } from './product-tools.ts'
import { reportTools } from './report-tools.ts'
import type { MallTool } from './tool.ts'

export const allTools: ReadonlyMap<string, MallTool> = new Map(
  [...orderTools, ...productTools, ...reportTools].map((tool) => [tool.definition.name, tool]),
)
