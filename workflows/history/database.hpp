// SQLite, as far as a history needs it. Nothing else sees its headers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace warpcheck::workflows::history {

/// One file. Every error is thrown and names the file: InputError where the file is no database or
/// a damaged one, EnvironmentError where the machine refuses (disk full, no permission, locked for
/// a minute).
class Database {
 public:
  /// Where `create`, a file that is not there comes to be.
  Database(std::string path, bool create);

  [[nodiscard]] const std::string& path() const { return path_; }

  /// One or more statements that give no rows.
  void run(const std::string& statements);
  [[nodiscard]] std::int64_t last_row() const;

 private:
  friend class Query;
  friend class Transaction;
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  [[noreturn]] void fail(int code) const;

  std::string path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// One statement with its values, bound in the order of its question marks. The texts that are
/// bound need not outlive the call.
class Query {
 public:
  Query(const Database& database, std::string_view statement);

  Query& bind(std::int64_t value);
  Query& bind(double value);
  Query& bind(std::string_view value);
  Query& bind_maybe(const std::optional<double>& value);
  Query& bind_maybe(const std::optional<std::string>& value);
  /// The value of another query's row, whatever its type.
  Query& bind_from(const Query& row, int column);

  /// To the next row; false where there is none. The statement may then be bound anew.
  bool next();
  void run() {
    while (next()) {
    }
  }

  // Of the row; columns from 0.
  [[nodiscard]] int columns() const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<double> maybe_real(int column) const;
  [[nodiscard]] std::optional<std::string> maybe_text(int column) const;

 private:
  struct Closer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int code) const;

  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Closer> statement_;
  int bound_ = 0;
};

/// All or nothing: what was not committed when it ends, or the process does, has not happened. One
/// within another is a part of it.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Database& database_;
  bool within_ = false;
  bool open_ = true;
};

}  // namespace warpcheck::workflows::history
