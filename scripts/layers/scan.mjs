/** Reads a source file's imports, and its uses of `process.env` and `process.argv`, off the syntax tree. */
import { createRequire } from "node:module";

/** The compiler's parser: TypeScript 7 has no API yet, so this is the 6.0 line. */
const ts = createRequire(import.meta.url)("typescript");

const WATCHED = new Set(["env", "argv"]);

/**
 * Returns `imports`, each {specifier, line}, type imports included, and `environment`, each {what, line}.
 * A use of the environment is any way to the member: `process.env`, `process["env"]`, `globalThis.process.env`,
 * `const { env } = process`, `import { env } from "node:process"`.
 */
export function scan(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const imports = [];
  const environment = [];
  const lineOf = (node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const found = (what, node) => environment.push({ what: `process.${what}`, line: lineOf(node) });

  const visit = (node) => {
    const specifier = specifierOf(node);
    if (specifier !== null) imports.push({ specifier: specifier.text, line: lineOf(specifier) });
    for (const member of environmentMembers(node)) if (WATCHED.has(member)) found(member, node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, environment };
}

/** The string literal that names a module: import, export from, import(), require(), import type, typeof import(). */
function specifierOf(node) {
  const literal = moduleExpressionOf(node);
  return literal !== undefined && ts.isStringLiteralLike(literal) ? literal : null;
}

function moduleExpressionOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === "require");
  return loads ? node.arguments[0] : undefined;
}

function environmentMembers(node) {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) ? [node.name.text] : [];
  if (ts.isElementAccessExpression(node)) {
    const member = node.argumentExpression;
    return isProcess(node.expression) && ts.isStringLiteralLike(member) ? [member.text] : [];
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    if (node.initializer === undefined || !isProcess(node.initializer)) return [];
    return node.name.elements.map((element) => nameText(element.propertyName ?? element.name));
  }
  if (ts.isImportDeclaration(node) && /^(node:)?process$/.test(node.moduleSpecifier.text)) {
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map((element) => nameText(element.propertyName ?? element.name));
  }
  return [];
}

function isProcess(node) {
  if (ts.isIdentifier(node)) return node.text === "process";
  return ts.isPropertyAccessExpression(node) && node.name.text === "process";
}

function nameText(name) {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : "";
}
