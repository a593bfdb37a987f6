"""A validator for the part of JSON Schema that spec/vectors/schema.json uses.

Keywords: type, const, enum, pattern, properties, required, additionalProperties, items, minItems,
minimum, anyOf, $ref to a definition of the same file. A keyword that it does not know is an error.
"""

import re

TYPES = {
    "object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
    "null": type(None),
}
ASIDE = {"$schema", "$defs", "title", "description", "type"}


def errors(value, schema, whole, place="$"):
    """What is wrong with the value, a sentence each."""
    if "type" in schema and not is_of(value, schema["type"]):
        return [f"{place} is no {schema['type']}"]  # and the other keywords mean nothing
    found = []
    for keyword, rule in schema.items():
        if keyword not in ASIDE:
            found += CHECKS[keyword](value, rule, schema, whole, place)
    return found


def is_of(value, kind):
    """Whether the value is of a type; True is no number here."""
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def check_pattern(value, rule, schema, whole, place):
    return [] if re.search(rule, value) else [f"{place} is {value!r}, not {rule}"]


def check_properties(value, rule, schema, whole, place):
    found = []
    for key in rule:
        if key in value:
            found += errors(value[key], rule[key], whole, f"{place}.{key}")
    return found


def check_additional(value, rule, schema, whole, place):
    others = [key for key in value if key not in schema.get("properties", {})]
    if rule is False:
        return [f"{place} has a {key!r}" for key in others]
    return [e for key in others for e in errors(value[key], rule, whole, f"{place}.{key}")]


def check_items(value, rule, schema, whole, place):
    return [e for k, part in enumerate(value) for e in errors(part, rule, whole, f"{place}[{k}]")]


def check_any(value, rule, schema, whole, place):
    ways = [errors(value, way, whole, place) for way in rule]
    return [] if [] in ways else min(ways, key=len)


def check_ref(value, rule, schema, whole, place):
    return errors(value, whole["$defs"][rule.split("/")[-1]], whole, place)


CHECKS = {
    "pattern": check_pattern,
    "properties": check_properties,
    "additionalProperties": check_additional,
    "items": check_items,
    "anyOf": check_any,
    "$ref": check_ref,
    "const": lambda v, rule, s, w, place: [] if v == rule else [f"{place} is not {rule!r}"],
    "enum": lambda v, rule, s, w, place: [] if v in rule else [f"{place} is none of {rule}"],
    "required": lambda v, rule, s, w, place: [f"{place} has no {k!r}" for k in rule if k not in v],
    "minItems": lambda v, rule, s, w, place: [f"{place} is short"] if len(v) < rule else [],
    "minimum": lambda v, rule, s, w, place: [f"{place} is below {rule}"] if v < rule else [],
}
