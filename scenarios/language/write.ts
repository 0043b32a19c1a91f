import { isMap, isScalar, isSeq, type Node, Document as Yaml } from 'yaml';
import type { Document } from './problem.ts';
import type { Scenario } from './scenario.ts';
import { toDocument } from './to-document.ts';

/** Up to so many characters a map or a list stands on one line. */
const LINE = 100;

/** A scenario as YAML that reads well, and that reading turns into the same scenario again. */
export function writeScenario(scenario: Scenario): string {
  return writeDocument(toDocument(scenario));
}

/** A document as YAML: one thing a line where it fits. */
export function writeDocument(document: Document): string {
  const yaml = new Yaml(document, { aliasDuplicateObjects: false });
  if (isMap(yaml.contents)) {
    for (const { key, value } of yaml.contents.items) {
      const isList = isScalar(key) && ['fleet', 'clients', 'steps'].includes(String(key.value));
      const isOpen = isScalar(key) && key.value === 'vary' && isMap(value);
      const parts =
        isList && isSeq(value) ? value.items : isOpen ? value.items.map((pair) => pair.value) : [value];
      for (const part of parts) fold(part as Node);
    }
  }
  return yaml.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Puts what is short on one line, from the outside to the inside. */
function fold(node: Node | null): void {
  if (!isMap(node) && !isSeq(node)) return;
  if (JSON.stringify(node).length <= LINE) {
    node.flow = true;
    return;
  }
  for (const item of node.items) fold((isMap(node) ? (item as { value: Node }).value : item) as Node);
}
