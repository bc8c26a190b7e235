// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "sw_model/common/json_text.h"
#include "sw_model/common/text.h"
#include "sw_model/workload/file.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

using nlohmann::json;

constexpr size_t kLengthBytes = 8;
constexpr size_t kShownText = 100;  // bytes
constexpr const char* kMetadataKey = "__metadata__";

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  size_t bytes;
};

constexpr std::array<DtypeRow, 13> kDtypes{{{Dtype::kBool, "BOOL", 1},
                                            {Dtype::kU8, "U8", 1},
                                            {Dtype::kI8, "I8", 1},
                                            {Dtype::kU16, "U16", 2},
                                            {Dtype::kI16, "I16", 2},
                                            {Dtype::kF16, "F16", 2},
                                            {Dtype::kBf16, "BF16", 2},
                                            {Dtype::kU32, "U32", 4},
                                            {Dtype::kI32, "I32", 4},
                                            {Dtype::kF32, "F32", 4},
                                            {Dtype::kU64, "U64", 8},
                                            {Dtype::kI64, "I64", 8},
                                            {Dtype::kF64, "F64", 8}}};

const DtypeRow& row_of(Dtype dtype) {
  return *std::find_if(kDtypes.begin(), kDtypes.end(),
                       [&](const DtypeRow& row) { return row.dtype == dtype; });
}

std::optional<size_t> product(const std::vector<size_t>& factors) {
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  size_t result = 1;
  for (const size_t factor : factors) {
    if (result > std::numeric_limits<size_t>::max() / factor) return std::nullopt;
    result *= factor;
  }
  return result;
}

// Parser of one file; every defect ends in fail().
class Parser {
 public:
  Parser(std::span<const uint8_t> file, const std::string& name) : file_(file), name_(name) {}

  TensorFile parse() {
    const json header = parse_header();
    TensorFile result;
    for (const auto& [key, entry] : header.items()) {
      if (key == kMetadataKey) {
        result.metadata = parse_metadata(entry);
      } else {
        result.tensors.emplace(key, parse_tensor(key, entry));
      }
    }
    check_coverage();
    return result;
  }

 private:
  struct Range {
    size_t begin, end;
    std::string tensor;
  };

  [[noreturn]] void fail(const std::string& defect) const {
    throw InputError(fmt::format("{}: not a valid safetensors file: {}", name_, defect));
  }
  [[noreturn]] void fail(const std::string& tensor, const std::string& defect) const {
    fail(fmt::format("tensor '{}': {}", tensor, defect));
  }

  // Files that often lie in the place of weights.
  void fail_on_text() const {
    const std::string_view begin(reinterpret_cast<const char*>(file_.data()),
                                 std::min(file_.size(), kShownText));
    if (begin.starts_with("version https://git-lfs")) {
      fail("it is a Git LFS pointer; the weights themselves come with: git lfs pull");
    }
    if (begin.find_first_not_of(" \t\r\n") != std::string_view::npos &&
        begin[begin.find_first_not_of(" \t\r\n")] == '<') {
      fail("it is an HTML or XML page, as of a download that failed");
    }
  }

  json parse_header() {
    if (file_.size() < kLengthBytes) {
      fail(fmt::format("{} bytes, at least {} are needed", file_.size(), kLengthBytes));
    }
    uint64_t length = 0;
    std::memcpy(&length, file_.data(), kLengthBytes);
    if (length > kMaxHeaderBytes) {
      fail_on_text();
      fail(fmt::format("header of {} bytes, at most {} are allowed", length, kMaxHeaderBytes));
    }
    if (length > file_.size() - kLengthBytes) {
      fail(fmt::format("truncated: header of {} bytes in a file of {}", length, file_.size()));
    }
    const auto text = file_.subspan(kLengthBytes, length);
    data_ = file_.subspan(kLengthBytes + length);
    json header;
    try {
      header = parse_json({reinterpret_cast<const char*>(text.data()), text.size()}, "header");
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
    if (!header.is_object()) fail("header is not a JSON object");
    return header;
  }

  std::map<std::string, std::string> parse_metadata(const json& entry) const {
    if (!entry.is_object()) fail("__metadata__ is not an object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) fail(fmt::format("__metadata__ '{}' is not a string", key));
      metadata[key] = value.get<std::string>();
    }
    return metadata;
  }

  std::vector<size_t> parse_sizes(const std::string& tensor, const json& entry,
                                  const char* key) const {
    if (!entry.contains(key) || !entry[key].is_array()) {
      fail(tensor, fmt::format("'{}' is missing or not an array", key));
    }
    std::vector<size_t> sizes;
    for (const json& size : entry[key]) {
      if (!size.is_number_unsigned()) {
        fail(tensor, fmt::format("'{}' holds something other than non-negative integers", key));
      }
      sizes.push_back(size.get<size_t>());
    }
    return sizes;
  }

  Tensor parse_tensor(const std::string& tensor, const json& entry) {
    if (!entry.is_object()) fail(tensor, "its entry is not an object");
    for (const auto& [key, value] : entry.items()) {
      if (key != "dtype" && key != "shape" && key != "data_offsets") {
        fail(tensor, fmt::format("unknown key '{}'", key));
      }
    }
    if (!entry.contains("dtype") || !entry["dtype"].is_string()) {
      fail(tensor, "'dtype' is missing or not a string");
    }
    const std::string dtype = entry["dtype"].get<std::string>();
    const auto row = std::find_if(kDtypes.begin(), kDtypes.end(),
                                  [&](const DtypeRow& r) { return r.name == dtype; });
    if (row == kDtypes.end()) {
      std::vector<std::string_view> known;
      known.reserve(kDtypes.size());
      for (const DtypeRow& r : kDtypes) known.push_back(r.name);
      throw InputError(fmt::format("{}: tensor '{}': dtype '{}' is not supported (those are: {})",
                                   name_, shortened(tensor, kShownText),
                                   shortened(dtype, kShownText), fmt::join(known, ", ")));
    }

    Tensor result{row->dtype, parse_sizes(tensor, entry, "shape"), {}};
    const std::vector<size_t> offsets = parse_sizes(tensor, entry, "data_offsets");
    if (offsets.size() != 2) fail(tensor, "'data_offsets' does not hold two numbers");
    const auto [begin, end] = std::pair(offsets[0], offsets[1]);
    if (begin > end || end > data_.size()) {
      fail(tensor, fmt::format("data_offsets [{},{}] leave the {} bytes of data (truncated file?)",
                               begin, end, data_.size()));
    }
    std::vector<size_t> factors = result.shape;
    factors.push_back(row->bytes);
    const std::optional<size_t> bytes = product(factors);
    if (!bytes) fail(tensor, fmt::format("shape {} overflows", result.shape_text()));
    if (*bytes != end - begin) {
      fail(tensor, fmt::format("shape {} of {} needs {} bytes, data_offsets hold {}",
                               result.shape_text(), dtype, *bytes, end - begin));
    }
    const auto data = data_.subspan(begin, end - begin);
    result.bytes.assign(data.begin(), data.end());
    ranges_.push_back({begin, end, tensor});
    return result;
  }

  void check_coverage() {
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    size_t covered = 0;
    for (const Range& range : ranges_) {
      if (range.begin < covered) fail(range.tensor, "overlaps the data of another tensor");
      if (range.begin > covered) {
        fail(range.tensor, fmt::format("{} unused bytes before its data", range.begin - covered));
      }
      covered = range.end;
    }
    if (covered != data_.size()) {
      fail(fmt::format("{} bytes after the last tensor", data_.size() - covered));
    }
  }

  std::span<const uint8_t> file_;
  std::span<const uint8_t> data_;
  std::string name_;
  std::vector<Range> ranges_;
};

}  // namespace

std::string_view dtype_name(Dtype dtype) { return row_of(dtype).name; }

size_t dtype_bytes(Dtype dtype) { return row_of(dtype).bytes; }

size_t Tensor::elements() const {
  const std::optional<size_t> count = product(shape);
  if (!count) throw InputError(fmt::format("shape {} overflows", shape_text()));
  return *count;
}

std::string Tensor::shape_text() const { return fmt::format("[{}]", fmt::join(shape, ",")); }

const Tensor& TensorFile::at(const std::string& name) const {
  const auto found = tensors.find(name);
  if (found != tensors.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, tensor] : tensors) names.push_back(key);
  throw InputError(
      fmt::format("tensor '{}' is missing (the file holds: {})", name, fmt::join(names, ", ")));
}

TensorFile parse_safetensors(std::span<const uint8_t> file, const std::string& name) {
  return Parser(file, name).parse();
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  // A header that is none is refused before the whole file is read.
  const std::vector<uint8_t> begin = read_file(path, kShownText);
  uint64_t length = 0;
  if (begin.size() >= kLengthBytes) std::memcpy(&length, begin.data(), kLengthBytes);
  if (begin.size() < kLengthBytes || length > kMaxHeaderBytes) {
    return parse_safetensors(begin, path.string());
  }
  return parse_safetensors(read_file(path), path.string());
}

std::vector<uint8_t> format_safetensors(const TensorFile& file) {
  json header = json::object();
  if (!file.metadata.empty()) header[kMetadataKey] = file.metadata;
  size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const size_t bytes = tensor.elements() * dtype_bytes(tensor.dtype);
    if (bytes != tensor.bytes.size() || name == kMetadataKey) {
      throw std::invalid_argument(fmt::format("tensor '{}' is inconsistent", name));
    }
    header[name] = {{"dtype", dtype_name(tensor.dtype)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');

  std::vector<uint8_t> bytes(kLengthBytes);
  const uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes.reserve(kLengthBytes + text.size() + offset);
  bytes.insert(bytes.end(), text.begin(), text.end());
  for (const auto& [name, tensor] : file.tensors) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  return bytes;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  write_file(path, format_safetensors(file));
}

}  // namespace rivulet
