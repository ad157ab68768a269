import { isTest, readTree } from '../checks/tree.mjs'

/**
 * Reads the types of the package at `root`. What it gives names the fields of an interface, those
 * it inherits last, or the values of a union of strings.
 */
export async function readMembers(root: string): Promise<(type: string) => string[]> {
  const { files } = await readTree(root)
  const statements = [...files.values()]
    .filter((file) => file.path.endsWith('.ts') && !isTest(file))
    .flatMap((file) => file.parse().program.body)
  const declarations = statements.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? [statement.declaration] : [statement],
  )
  return (type) => membersIn(declarations, type)
}

type Declaration = import('oxc-parser').Declaration | import('oxc-parser').Statement | null

function membersIn(declarations: Declaration[], type: string): string[] {
  const declared = declarations.find(
    (one) => one && 'id' in one && one.id?.type === 'Identifier' && one.id.name === type,
  )
  if (declared?.type === 'TSInterfaceDeclaration') {
    const bases = declared.extends.map(({ expression }) => Object(expression).name)
    return [...fieldsOf(declared), ...bases.flatMap((base) => membersIn(declarations, base))]
  }
  return declared?.type === 'TSTypeAliasDeclaration' ? valuesOf(declared) : []
}

function fieldsOf({ body }: import('oxc-parser').TSInterfaceDeclaration): string[] {
  return body.body.flatMap((member) =>
    'key' in member && member.key.type === 'Identifier' ? [member.key.name] : [],
  )
}

function valuesOf(declared: import('oxc-parser').TSTypeAliasDeclaration): string[] {
  const { typeAnnotation: union } = declared
  const parts = union.type === 'TSUnionType' ? union.types : [union]
  return parts.flatMap((part) =>
    part.type === 'TSLiteralType' && 'value' in part.literal ? [`${part.literal.value}`] : [],
  )
}
