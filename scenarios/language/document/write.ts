import { isMap, isScalar, isSeq, type Node, Document as Yaml } from 'yaml';
import type { ScenarioDocument } from './problem.ts';

/** Maps and lists of up to so many characters are written on one line. */
const LINE = 100;

/** A document as YAML, with short maps and lists on one line. */
export function writeDocument(document: ScenarioDocument): string {
  const yaml = new Yaml(document, { aliasDuplicateObjects: false });
  if (isMap(yaml.contents)) {
    for (const { key, value } of yaml.contents.items) {
      const isList = isScalar(key) && ['fleet', 'clients', 'steps'].includes(String(key.value));
      const isOpen = isScalar(key) && key.value === 'vary' && isMap(value);
      const parts =
        isList && isSeq(value) ? value.items : isOpen ? value.items.map((pair) => pair.value) : [value];
      for (const part of parts) putOnOneLine(part as Node);
    }
  }
  return yaml.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Puts short maps and lists on one line, from the outermost to the innermost. */
function putOnOneLine(node: Node | null): void {
  if (!isMap(node) && !isSeq(node)) return;
  if (JSON.stringify(node).length <= LINE) {
    node.flow = true;
    return;
  }
  for (const item of node.items) putOnOneLine((isMap(node) ? (item as { value: Node }).value : item) as Node);
}
